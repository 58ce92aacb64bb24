import { type Role, roles } from "../../../api/roles.ts";
import { colleagues } from "./colleagues.ts";

/** The password of each person of the demo organization. */
export const DEMO_PASSWORD = "demo-password";

export interface Member {
  email: string;
  fullName: string;
  role: Role;
  /** The role as `parley demo` prints it. */
  title: string;
}

/** The owner comes first, since she creates the organization. */
export const people = {
  ada: { email: "ada@demo.test", fullName: "Ada Osei", role: roles.owner, title: "owner" },
  ben: { email: "ben@demo.test", fullName: "Ben Ito", role: roles.administrator, title: "administrator" },
  cleo: { email: "cleo@demo.test", fullName: "Cleo Marsh", role: roles.moderator, title: "moderator" },
  dev: { email: "dev@demo.test", fullName: "Dev Rao", role: roles.member, title: "member" },
  elin: { email: "elin@demo.test", fullName: "Elin Berg", role: roles.member, title: "member" },
  gus: { email: "gus@demo.test", fullName: "Gus Pike", role: roles.guest, title: "guest" },
} as const satisfies Record<string, Member>;

/** A generic bot that Ben owns. */
export const echoBot = { email: "echo-bot@demo.test", fullName: "Echo Bot", role: roles.member } as const;

/** Who came today, and has said nothing so far. */
export const newcomer = {
  name: "theo",
  email: "theo@demo.test",
  fullName: "Theo Brandt",
  role: roles.member,
  channels: ["general", "town square", "random", "mobile"],
} as const;

export type CastName = keyof typeof people | keyof typeof colleagues | typeof newcomer.name | "echo";

const names = (text: string) => text.split(" ") as CastName[];
const everyone = Object.keys(colleagues) as CastName[];
const leading: CastName[] = ["ada", "ben", "cleo", "dev", "elin"];
const everyoneButTheGuest: CastName[] = [...leading, "echo"];

export const demoFolders = {
  product: { name: "Product", description: "What we make, and how it looks." },
  company: { name: "Company", description: "Everything around the product." },
} as const;

/** The first ones, which the examples of the API name by their ids. */
export const firstChannels = [
  {
    name: "general",
    description: "For everyone in the organization.",
    isDefault: true,
    members: everyoneButTheGuest,
    joinedLater: everyone,
  },
  {
    name: "design",
    description: "Screens, texts and colors. Gus from the print shop is here, too.",
    folder: "product",
    members: ["ada", "cleo", "dev", "elin", "gus"],
    joinedLater: names("lena tove sam maya jonas nils kofi rosa uma finn"),
  },
  {
    name: "engineering",
    description: "Code, releases, and what broke.",
    folder: "product",
    members: ["ada", "ben", "dev", "elin", "echo"],
    joinedLater: names("ivo xin viktor otto jonas jun amir kira kofi finn nils dina greta"),
  },
  { name: "leads", description: "Ada, Ben and Cleo.", isPrivate: true, members: ["ada", "ben", "cleo"] },
  {
    name: "town square",
    description: "News for everybody, with or without an account.",
    isWebPublic: true,
    members: everyoneButTheGuest,
    joinedLater: everyone,
  },
] as const satisfies readonly DemoChannel[];

export const laterChannels = [
  {
    name: "mobile",
    description: "The apps, from the widget to the watch.",
    folder: "product",
    members: names("ada dev amir hana jun kira elin nils rosa uma ben zoe tove"),
  },
  {
    name: "accessibility",
    description: "So that everybody can read a tide.",
    folder: "product",
    members: ["zoe", "tove", "wanda", "viktor", "lena", "hugo", "elin", "maya"],
  },
  {
    name: "translations",
    description: "Fourteen languages, and the words for tides in each.",
    folder: "product",
    members: ["hugo", "olga", "emre", "viktor", "wanda", "yara", "lena", "jun", "xin", "ada"],
  },
  {
    name: "data",
    description: "Harbors, gauges and predictions.",
    folder: "product",
    members: names("ada dina rosa noor jonas mara otto lena nils kofi finn elin uma"),
  },
  {
    name: "on-call",
    description: "Who has the phone, and what it said.",
    folder: "product",
    members: ["viktor", "kofi", "otto", "ben", "ada"],
  },
  {
    name: "support",
    description: "What people ask us, and what we answer.",
    folder: "company",
    members: names("ada rosa paul quinn maya uma gus cleo jun sam xin ivo noor elin greta"),
  },
  {
    name: "marketing",
    description: "Words and pictures for those who don't know us yet.",
    folder: "company",
    members: ["ada", "sam", "bea", "jonas", "zoe", "elin", "rosa"],
  },
  {
    name: "people team",
    description: "Vacations, contracts, and cake.",
    isPrivate: true,
    folder: "company",
    members: ["ada", "greta", "uma"],
  },
  { name: "random", description: "Cats, knots and soup.", members: [...leading, "echo", ...everyone] },
  { name: "books", description: "One book a month.", members: ["dina", "zoe", "leo", "ada", "hugo", "olga"] },
] as const satisfies readonly DemoChannel[];

export type ChannelName = (typeof firstChannels | typeof laterChannels)[number]["name"];

export const demoGroups = [
  { name: "mobile", description: "Everyone who works on the apps.", members: ["ada", "dev"] },
  { name: "print", description: "Who decides about what is printed.", members: ["cleo", "gus"] },
] as const;

export interface DemoChannel {
  name: string;
  description: string;
  isDefault?: boolean;
  folder?: keyof typeof demoFolders;
  isPrivate?: boolean;
  isWebPublic?: boolean;
  members: readonly CastName[];
  /** Those who are added together with the later channels. */
  joinedLater?: readonly CastName[];
}
