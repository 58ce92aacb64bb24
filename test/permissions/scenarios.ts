/**
 * The cause of each declared event. A new event needs an entry in a file of scenarios/: its recipients (see
 * scenario.ts), and the call that causes it. `begin()` separates what the call needs beforehand.
 */
import type { EventDeclaration } from "../../api/event.ts";
import { botAdded, botRemoved, botUpdated } from "../../api/events/bots.ts";
import { organizationDeactivated } from "../../api/events/organization.ts";
import { pushDeviceChanged } from "../../api/events/push-devices.ts";
import { heartbeat } from "../../api/events/real-time.ts";
import { userRemoved } from "../../api/events/users.ts";
import type { Scenario } from "./scenario.ts";
import { channelScenarios } from "./scenarios/channels.ts";
import { groupScenarios } from "./scenarios/groups.ts";
import { messageScenarios } from "./scenarios/messages.ts";
import { listScenarios } from "./scenarios/organization-lists.ts";
import { ownScenarios } from "./scenarios/own-things.ts";
import { peopleScenarios } from "./scenarios/people.ts";

/** Events that have no scenario here, and the reason. */
export const withoutScenario: ReadonlyMap<EventDeclaration, string> = new Map<EventDeclaration, string>([
  [heartbeat, "it is of no log, and goes to every held poll"],
  [userRemoved, "only limited guests get it: server/channels/guest-access/guest-events.test.ts"],
  [organizationDeactivated, "it ends every queue of the organization"],
  ...[botAdded, botUpdated, botRemoved].map(
    (each) => [each, "a bot's owner and administrators get it: test/replay/bots.test.ts"] as const,
  ),
  [pushDeviceChanged, "only a push service causes it, and the server has none"],
]);

export const scenarios: readonly Scenario[] = [
  ...messageScenarios,
  ...channelScenarios,
  ...listScenarios,
  ...ownScenarios,
  ...groupScenarios,
  ...peopleScenarios,
];
