/**
 * The roles of people and bots, as the numbers that the wire carries: the smaller the number, the more a role
 * may do.
 */
export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;

export type RoleName = keyof typeof roles;
export type Role = (typeof roles)[RoleName];
