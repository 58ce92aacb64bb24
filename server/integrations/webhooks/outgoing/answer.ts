/** What the answer of a bot's program, or its absence, means. */
import { Check } from "typebox/value";
import { interfaceTypes } from "../../../../api/integrations/bots.ts";
import { type WidgetContent, widgetContent } from "../../../../api/messages/widgets.ts";
import { OutboundError, type OutboundResponse } from "../../../platform/outbound-http/outbound-http.ts";

export type Outcome =
  /** The program wants nothing posted. */
  | { kind: "done" }
  | { kind: "reply"; content: string; widget: WidgetContent | undefined }
  /** The program may do better later. */
  | { kind: "retry"; reason: string }
  /** This server could not call it now, which does not count as a try. */
  | { kind: "postponed" }
  | { kind: "failure"; reason: string };

/** Words for people: what went wrong, without anything that the other side has sent. */
export function outcomeOfError(error: unknown): Outcome {
  if (!(error instanceof OutboundError)) throw error;
  const { failure } = error;
  if (failure === "busy" || failure === "stopped") return { kind: "postponed" };
  if (failure === "timeout") return { kind: "retry", reason: "it did not answer in time" };
  if (failure === "unreachable") return { kind: "retry", reason: "it could not be reached" };
  if (failure === "too-large") return { kind: "failure", reason: "its answer was too long" };
  if (failure === "not-encrypted") return { kind: "failure", reason: "its address must begin with https" };
  return { kind: "failure", reason: "the server is not allowed to call its address" };
}

export function outcomeOfAnswer(interfaceType: number, { status, body }: OutboundResponse): Outcome {
  if (status >= 500 || status === 429) return { kind: "retry", reason: `it answered with status ${status}` };
  if (status < 200 || status > 299) return { kind: "failure", reason: `it answered with status ${status}` };
  const answer = parseJson(body.toString("utf8"));
  if (answer === undefined) return { kind: "failure", reason: "its answer was not valid JSON" };
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return invalid;
  const fields = answer as Record<string, unknown>;
  return interfaceType === interfaceTypes.slack ? replyOf(fields.text, undefined) : genericReply(fields);
}

const invalid: Outcome = { kind: "failure", reason: "its answer did not have the right form" };

function genericReply(fields: Record<string, unknown>): Outcome {
  if (fields.response_not_required === true) return { kind: "done" };
  // COMPAT: older programs use the first name.
  return replyOf(fields.response_string ?? fields.content, fields.widget_content);
}

function replyOf(content: unknown, widget: unknown): Outcome {
  if (content === undefined || content === null) return { kind: "done" };
  if (typeof content !== "string" || content.includes("\0")) return invalid;
  if (content.trim() === "") return { kind: "done" };
  const wanted = typeof widget === "string" && widget !== "" ? parseJson(widget) : widget;
  if (wanted === undefined || wanted === null || wanted === "") {
    return { kind: "reply", content: wellFormed(content), widget: undefined };
  }
  if (!Check(widgetContent, wanted)) return invalid;
  return { kind: "reply", content: wellFormed(content), widget: wanted };
}

/** Half a surrogate pair is no text that the database can store. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\u{fffd}");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
