/** From whom a picture is, for the places in the queue of decoders. */
export function holderOf(organizationId: number, userId: number): string {
  return `user ${userId} of organization ${organizationId}`;
}
