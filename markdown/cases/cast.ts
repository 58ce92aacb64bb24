/** The people, groups and channels of the cases and tests in this folder; one trait each, fixed IDs. */
import type { Lookups, MentionedUser } from "../lookups.ts";

const PEOPLE: readonly MentionedUser[] = [
  { id: 1, fullName: "Ada Osei" },
  { id: 2, fullName: "Ben Ito" },
  { id: 3, fullName: "Zoë O'Neil <3" },
  { id: 7, fullName: "Sam Lee" },
  { id: 8, fullName: "Sam Lee" },
  { id: 9, fullName: "Gone Person", isActive: false },
];

const GROUPS = [
  { id: 17, name: "support", isSystem: false },
  { id: 18, name: "R&D", isSystem: false },
  { id: 5, name: "role:administrators", isSystem: true },
];

const CHANNELS = [
  { id: 4, name: "general" },
  { id: 6, name: "town square" },
  { id: 11, name: "a>b & c" },
];

/** The look-ups of a small organization at https://chat.example.com. */
export function castLookups(changes: Partial<Lookups> = {}): Lookups {
  return {
    userByName: (name) => PEOPLE.filter((user) => user.isActive !== false && isSame(user.fullName, name)),
    userById: (id) => PEOPLE.find((user) => user.id === id),
    groupByName: (name) => GROUPS.find((group) => isSame(group.name, name)),
    channelByName: (name) => CHANNELS.find((channel) => isSame(channel.name, name)),
    emojiByName: (name) =>
      name === "party_bear" ? { id: "12", url: "/user_avatars/2/emoji/images/12.png" } : undefined,
    latestMessageId: (channelId, topic) =>
      channelId === 4 && (topic === "lunch" || topic === "") ? 214 : undefined,
    uploadedImage(path) {
      if (path.endsWith("new.png"))
        return { width: 640, height: 480, contentType: "image/png", thumbnail: null };
      if (path.endsWith("fake.png")) return undefined;
      return { width: 1920, height: 1080, contentType: "image/jpeg", thumbnail: "840x560.webp" };
    },
    baseUrl: "https://chat.example.com",
    ...changes,
  };
}

function isSame(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}
