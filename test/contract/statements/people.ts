/** What is stated of people, their profiles and groups. */
import type { Statement } from "./statement.ts";
import { deactivateGroup, deactivatePerson, fields, mutedUsers, rules, users } from "./test-files.ts";

export const people: Readonly<Record<string, readonly Statement[]>> = {
  E4: [
    ["Long texts and people are not in the summary.", fields, "%s is refused"],
    ["Only administrators create fields.", fields, "is no matter for %s"],
    ["`field_data` counts for its types only.", fields, "ignores field_data where its type has none"],
    [
      "An external account may do without a name.",
      fields,
      "for a service of the list has its name and hint, unless others are given",
    ],
    ["At most two fields are in the summary.", fields, "can be in the summary together with one other"],
    [
      "People who may not change a field's value.",
      "server/profiles/profile-fields/values.test.ts",
      "of a field that people may not change is for administrators, of their own too",
    ],
  ],
  E10: [
    ["The record has the fields of the rules.", users, "has the fields of the specification, and no others"],
    ["Only people have `profile_data`.", users, "of a bot has no profile"],
  ],
  E12: [
    ["Bots can be muted.", mutedUsers, "works for bots, and for several people"],
    [
      "Oneself, unknown and muted users are refused.",
      mutedUsers,
      "is refused for oneself, for unknown users and twice, and unmuting for unmuted people",
    ],
    [
      "All earlier messages become read.",
      mutedUsers,
      "marks all their earlier messages as read, and nothing else",
    ],
    [
      "New messages are read on arrival.",
      mutedUsers,
      "is read from the start for people who muted the sender, in channels and conversations",
    ],
  ],
  E13: [
    ["Everybody else may leave.", deactivatePerson, "works for everyone who is not the last"],
    ["The only owner may not.", deactivatePerson, "is refused to the only owner"],
    ["The only user may not.", deactivatePerson, "is refused to the only user, and that error comes first"],
  ],
  E14: [
    [
      "An unknown group is BAD_REQUEST.",
      rules,
      "an unknown group can be neither deactivated nor deleted (spec E14, E19)",
    ],
    [
      "A group in use stays, and `objections` list the uses.",
      deactivateGroup,
      "a group in use can't be deactivated or deleted, and the error names the uses",
    ],
    [
      "A deactivated group gives no permission.",
      deactivateGroup,
      "gives nobody a permission until it is reactivated",
    ],
    ["It can't be mentioned.", deactivateGroup, "can't be mentioned"],
    [
      "It can be renamed and reactivated.",
      deactivateGroup,
      "can be changed, and reactivated by the same request",
    ],
  ],
  E17: [
    [
      "All fields are listed.",
      fields,
      "is listed for everybody, after the others, and comes in the first state",
    ],
    [
      "Pronouns have no `field_data` there.",
      fields,
      "of pronouns has no field_data in the listing, and an empty one elsewhere",
    ],
  ],
  E19: [
    [
      "An unknown group is BAD_REQUEST.",
      rules,
      "an unknown group can be neither deactivated nor deleted (spec E14, E19)",
    ],
    [
      "A deactivated group can be deleted.",
      deactivateGroup,
      "can't be deactivated again, but can be deleted",
    ],
    [
      "A deleted group's name is free.",
      deactivateGroup,
      "deleting a group frees its name, and its subgroups can then be deactivated",
    ],
  ],
};
