/** Messages as people write them, the same ones in every run: 30 % use Markdown, the rest is plain. */
export function makeMessages(count: number): string[] {
  const random = seeded(20_261);
  return Array.from({ length: count }, () => (random() < 0.3 ? rich(random) : plain(random)));
}

const WORDS =
  "we could move the release to monday if the tests for imports are done by then and nobody minds waiting since the new build is faster but the old one still works on the small box".split(
    " ",
  );

function plain(random: () => number): string {
  const length = 5 + Math.floor(random() * 40);
  return Array.from({ length }, () => pick(random, WORDS)).join(" ");
}

function rich(random: () => number): string {
  const parts = [
    `**${plain(random)}**`,
    `see https://example.com/${pick(random, WORDS)}/${Math.floor(random() * 1000)}`,
    `- ${plain(random)}\n- ${plain(random)}`,
    `\`${pick(random, WORDS)}()\` _${pick(random, WORDS)}_ :smile:`,
    `> ${plain(random)}\n\n${plain(random)}`,
  ];
  return `${plain(random)}\n\n${pick(random, parts)}\n\n${pick(random, parts)}`;
}

function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

/** A small generator with a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
