import type { StatisticsDayRecord } from "../../../api/administration/statistics.ts";
import type { CountedDay } from "./read.ts";

export function presentDay(day: CountedDay): StatisticsDayRecord {
  return {
    day: day.day,
    public_messages: day.publicMessages,
    private_messages: day.privateMessages,
    direct_messages: day.directMessages,
    bot_messages: day.botMessages,
    active_people: day.activePeople,
    active_people_7_days: day.activePeople7Days,
    active_people_28_days: day.activePeople28Days,
    new_people: day.newPeople,
    owners: day.owners,
    administrators: day.administrators,
    moderators: day.moderators,
    members: day.members,
    guests: day.guests,
    deactivated_people: day.deactivatedPeople,
    bots: day.bots,
    public_channels: day.publicChannels,
    private_channels: day.privateChannels,
    archived_channels: day.archivedChannels,
    upload_bytes: day.uploadBytes,
  };
}
