import { openSlack } from "../../server/imports/slack/source.ts";
import { importCommand } from "./import-source.ts";

export const importSlack = importCommand({ kind: "slack", program: "Slack", files: ".zip", open: openSlack });
