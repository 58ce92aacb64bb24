import { type User, users } from "../../people/user.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Change } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type CastName, echoBot } from "./cast.ts";

/** The people of the demo by their names. */
export class Cast {
  readonly state: OrganizationState;

  constructor(state: OrganizationState) {
    this.state = state;
  }

  find(name: CastName): User | undefined {
    return this.state.get(users).findByEmail(emailOf(name));
  }

  user(name: CastName): User {
    const user = this.find(name);
    if (!user) throw new Error(`${name} is not there`);
    return user;
  }

  viewer(name: CastName): Viewer {
    return { state: this.state, user: this.user(name), client: name === "echo" ? "echo bot" : "website" };
  }

  /** The change as this person makes it, until the next call. */
  acting(tx: Change, name: CastName): ViewerChange {
    return Object.assign(tx, { viewer: this.viewer(name) });
  }
}

export function emailOf(name: CastName): string {
  return name === "echo" ? echoBot.email : `${name}@demo.test`;
}
