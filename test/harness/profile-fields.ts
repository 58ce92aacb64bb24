import type { CastName, Harness } from "./harness.ts";

/** An organization has few fields, so one is made only where there is none. */
export async function profileFieldsOf(harness: Harness, owner: CastName, name: string): Promise<number[]> {
  const { body: there } = await harness.as(owner).get("/realm/profile_fields");
  if (there.custom_fields.length > 0) return there.custom_fields.map(({ id }: { id: number }) => id);
  const { body: made } = await harness.as(owner).post("/realm/profile_fields", { name, field_type: 1 });
  return [made.id];
}
