/** A channel's privacy, as far as it says who reads there. */
interface Readers {
  isPrivate: boolean;
  isWebPublic: boolean;
}

/**
 * Whether a topic that moves to another channel may be read there by people for whom texts for the old place
 * were not meant. Texts that wait to be sent do not go there by themselves. undefined: a channel that is not
 * known any more, which may have been private.
 */
export function mayReachOthers(from: Readers | undefined, to: Readers | undefined): boolean {
  if (!from || !to) return true;
  return from.isPrivate || (to.isWebPublic && !from.isWebPublic);
}
