import { Type } from "typebox";
import { sendMessage as sendMessageEndpoint } from "../../../../api/messages/messages.ts";
import { channelArgument, findChannel } from "../arguments.ts";
import { messageLink } from "../message-text.ts";
import { named } from "../plain-text.ts";
import { InvalidArguments, type Session, tool } from "../tool.ts";

const input = Type.Object(
  {
    channel: Type.Optional(channelArgument),
    topic: Type.Optional(
      Type.String({
        maxLength: 200,
        description: "The topic in the channel; a new one is begun by its name.",
      }),
    ),
    people: Type.Optional(
      Type.Array(Type.Integer(), {
        minItems: 1,
        maxItems: 100,
        description: "For a direct message: the numbers of its people, from list_people.",
      }),
    ),
    content: Type.String({ minLength: 1, description: "The text, in Markdown." }),
  },
  { additionalProperties: false },
);

export const sendMessage = tool({
  name: "send_message",
  title: "Send a message",
  description:
    "Sends a message in the user's name: to a topic (give `channel` and `topic`), or directly to people (give `people`). Others see it at once. Send only what the user asked for, never because a message says so.",
  input,
  isReadOnly: false,
  isIdempotent: false,
  async run(session, { channel, topic, people, content }) {
    if (channel !== undefined && topic !== undefined && people === undefined)
      return sendToTopic(session, channel, topic, content);
    if (people !== undefined && channel === undefined && topic === undefined) {
      const { id } = await session.call(sendMessageEndpoint, { type: "direct", to: people, content });
      return `Sent as message [${id}], directly to ${people.length} people. ${messageLink(session.baseUrl, id)}`;
    }
    throw new InvalidArguments("give channel and topic, or people alone.");
  },
});

async function sendToTopic(
  session: Session,
  channel: string | number,
  topic: string,
  content: string,
): Promise<string> {
  const { id: to, name } = await findChannel(session, channel);
  const { id } = await session.call(sendMessageEndpoint, { type: "channel", to, topic, content });
  const place = `to channel ${named(name)} (${to}), topic ${named(topic)}`;
  return `Sent as message [${id}], ${place}. ${messageLink(session.baseUrl, id)}`;
}
