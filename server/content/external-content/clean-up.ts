import { definePeriodicJob } from "../../platform/jobs/job.ts";
import type { Services } from "../../services.ts";
import { deleteFiles, KEPT_DAYS } from "./images.ts";
import { deleteEndedPages, deleteOldImages } from "./store.ts";

const AT_ONCE = 500;

/** Forgets what was fetched too long ago. A file goes after its row, so no row is left without its file. */
export const forgetExternalContent = definePeriodicJob({
  name: "forget_external_content",
  schedule: "47 * * * *",
  async run({ database, files }: Pick<Services, "database" | "files">, { signal }) {
    await deleteEndedPages(database);
    for (;;) {
      signal.throwIfAborted();
      const gone = await deleteOldImages(database, { days: KEPT_DAYS, limit: AT_ONCE });
      await deleteFiles(files, gone);
      if (gone.length < AT_ONCE) return;
    }
  },
});
