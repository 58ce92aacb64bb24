import { registerPlaygrounds } from "../../../api/register/playgrounds.ts";
import { sectionOf } from "../../people/viewer/register-section.ts";
import { playgrounds } from "./playgrounds.ts";
import { presentPlayground } from "./present.ts";

export const playgroundSection = sectionOf(registerPlaygrounds, ({ state, wants }) =>
  wants("realm_playgrounds")
    ? { realm_playgrounds: state.get(playgrounds).rows.map(presentPlayground) }
    : undefined,
);
