import { Type } from "typebox";
import { playground } from "../content/playgrounds.ts";
import { registerSection } from "../register-section.ts";

export const registerPlaygrounds = registerSection({
  fields: {
    realm_playgrounds: Type.Array(playground, { description: "Sites on which clients let people run code." }),
  },
});
