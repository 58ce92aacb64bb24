/** The types of the fields that errors have beside their code and message. One name has one type. */
import { type TSchema, Type } from "typebox";

export const errorFields: Readonly<Record<string, TSchema>> = {
  allowed_methods: Type.Array(Type.String()),
  bad_value: Type.String(),
  daily_limit_reached: Type.Boolean(),
  desc: Type.String(),
  entity: Type.String(),
  event_type: Type.String(),
  errors: Type.Array(Type.Array(Type.Union([Type.String(), Type.Boolean()]))),
  first_message_id_allowed_to_move: Type.Integer(),
  header: Type.String(),
  is_last_owner: Type.Boolean(),
  license_limit_reached: Type.Boolean(),
  objections: Type.Array(Type.Object({})),
  queue_id: Type.String(),
  "retry-after": Type.Number(),
  sent_invitations: Type.Boolean(),
  setting_name: Type.String(),
  stream: Type.String(),
  stream_id: Type.Integer(),
  total_messages_allowed_to_move: Type.Integer(),
  total_messages_in_topic: Type.Integer(),
  var_name: Type.String(),
  var_name1: Type.String(),
  var_name2: Type.String(),
  webhook_name: Type.String(),
};
