/**
 * The files of exports, under the links that administrators get. The link says for whom it was made, and that
 * account must still be an administrator.
 */
import type { PageRoute } from "../../platform/http/page-routes.ts";
import type { Services } from "../../services.ts";
import { mayExport } from "./events.ts";
import { filePage } from "./file-page.ts";
import { exportLinks } from "./link.ts";
import { exportRuns } from "./store.ts";

export function exportFiles(services: Pick<Services, "files" | "keyring" | "log" | "mailer">): PageRoute[] {
  return [
    filePage(services, {
      links: exportLinks,
      store: exportRuns,
      isForOwnBrowser: false,
      mayFetch: mayExport,
      isFor: () => true,
      action: "export_downloaded",
      targetOf: ({ id }) => id,
      fileNameOf: (host, { id }) => `parley-export-${host}-${id}.tar.gz`,
      refusal:
        "This link does not work. It has ended, or the file was deleted. The list of exports has new links.",
    }),
  ];
}
