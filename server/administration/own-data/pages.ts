/**
 * The file of a copy, under the link that its person got. The link of a session works in the browser of that
 * session alone, so one that is passed on is of no use.
 */
import type { PageRoute } from "../../platform/http/page-routes.ts";
import type { Services } from "../../services.ts";
import { filePage } from "../exports/file-page.ts";
import { ownDataLinks } from "../exports/link.ts";
import { mayCopy } from "./copy.ts";
import { ownCopies } from "./copy-store.ts";

export function ownDataFiles(services: Pick<Services, "files" | "keyring" | "log" | "mailer">): PageRoute[] {
  return [
    filePage(services, {
      links: ownDataLinks,
      store: ownCopies,
      isForOwnBrowser: true,
      mayFetch: mayCopy,
      isFor: ({ userId }, user) => userId === user.id,
      action: "own_data_downloaded",
      targetOf: ({ userId }) => userId,
      fileNameOf: (host) => `parley-own-data-${host}.tar.gz`,
      refusal:
        "This link does not work. It has ended, or it belongs to another browser. Your settings have new links.",
    }),
  ];
}
