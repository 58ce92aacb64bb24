import { Type } from "typebox";
import { event, integration, maybe } from "../integration.ts";
import { bold, inline, link, list, paragraphs } from "../outside-text.ts";
import { textAt } from "../value-at.ts";

const build = (did: string, description: string) =>
  event({
    description,
    payload: Type.Object({
      name: Type.String(),
      display_name: maybe(Type.String()),
      build: Type.Object({
        full_url: maybe(Type.String()),
        number: Type.Integer(),
        status: maybe(Type.String()),
        scm: maybe(
          Type.Object({
            branch: maybe(Type.String()),
            commit: maybe(Type.String()),
            changes: maybe(Type.Array(Type.String())),
            culprits: maybe(Type.Array(Type.String())),
          }),
        ),
      }),
    }),
    topic: ({ name, display_name }) => display_name || name,
    message({ name, display_name, build: { full_url, number, status, scm } }) {
      const run = link(`${display_name || name} #${number}`, full_url);
      const result = did === "started" ? "started" : inline((status ?? did).toLowerCase());
      const place = scm?.branch ? ` on ${bold(scm.branch)}` : "";
      const at = scm?.commit ? ` at ${inline(scm.commit.slice(0, 7))}` : "";
      const files = (scm?.changes ?? []).map((file) => inline(file));
      return paragraphs(
        `${icons.get(status ?? "") ?? ":gear:"} ${run}: ${result}${place}${at}.`,
        did === "started" ? "" : list(files, 5),
      );
    },
  });

export const jenkins = integration({
  name: "jenkins",
  title: "Jenkins",
  setup: [
    "Install Jenkins's plugin “Notification”. In the configuration of the job, under Job Notifications, add an endpoint with the format JSON, the protocol HTTP and this address as its URL:",
    "Choose the event “Job Completed”. Otherwise Jenkins sends several messages for each build.",
  ],
  eventOf: ({ payload }) => textAt(payload, "build.phase").toLowerCase(),
  events: {
    started: build("started", "A build has started."),
    completed: build("completed", "A build has ended."),
    finalized: build("finalized", "A build has ended, and so has what follows it."),
  },
});

const icons = new Map([
  ["SUCCESS", ":check_mark:"],
  ["FAILURE", ":cross_mark:"],
  ["UNSTABLE", ":warning:"],
  ["ABORTED", ":stop_sign:"],
]);
