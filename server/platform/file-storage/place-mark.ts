/**
 * The place of the files has a mark with an id, which the database knows too. Without it an empty mount point
 * looks like a place without files: everything old is missing, and what is stored lies below the mount point,
 * hidden as soon as the file system is mounted again. (The mark of a data directory, `place` in
 * platform/backup, is for something else: it tells a copied directory from the original.)
 *
 * The id is in the database before it is in the place, so that a crash between the two leaves nothing that
 * looks foreign.
 */

/** No key begins with a dot, so backups, exports and older releases pass it over. */
export const MARK_NAME = ".parley-files";

/** The mark that a place must have. */
export interface FilesMark {
  id: string;
  /** undefined: the place is known to have its mark. */
  first?: FirstUse;
}

/**
 * Runs `look` while no other node does. `mayWrite`: no place has got the mark yet. `namesFiles`: whether the
 * database names files, which then lie in the right place. `look` resolves with whether the place is marked,
 * which is remembered.
 */
export type FirstUse = (
  look: (mayWrite: boolean, namesFiles: () => Promise<boolean>) => Promise<boolean>,
) => Promise<void>;

/** How the mark is read and written in a place. */
export interface MarkedPlace {
  /** As in a sentence: the path of the directory, or the address of the bucket. */
  name: string;
  /** undefined: there is none. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
  /** Whether it has no files. */
  isEmpty(): Promise<boolean>;
}

const ID = /^[0-9a-f-]{36}$/;
const NOTE = "Files of one Parley installation lie here. This file says of which one, so leave it here.\n";

export class PlaceMark {
  readonly #place: MarkedPlace;
  #expected: FilesMark | undefined;
  #firstLook: Promise<string | undefined> | undefined;

  constructor(place: MarkedPlace) {
    this.#place = place;
  }

  get placeName(): string {
    return this.#place.name;
  }

  /** Whether the place must have a mark before anything is stored there. */
  get isExpected(): boolean {
    return this.#expected !== undefined;
  }

  expect(mark: FilesMark): void {
    this.#expected = mark;
  }

  /**
   * Why the place is not the one of this installation, in sentences for people. undefined: it is, or nobody
   * said which one is expected. Throws what reading and writing throw, and at the first use what the database
   * does.
   */
  async problem(): Promise<string | undefined> {
    const expected = this.#expected;
    if (!expected) return undefined;
    if (!expected.first) return this.#judge(await this.read(), expected.id);
    this.#firstLook ??= this.#lookFirst(expected, expected.first).finally(() => {
      this.#firstLook = undefined;
    });
    return this.#firstLook;
  }

  /** The id in the place. A file that is no mark counts as somebody else's. undefined: there is none. */
  async read(): Promise<string | undefined> {
    const text = await this.#place.read();
    if (text === undefined) return undefined;
    const [id = ""] = text.split("\n");
    return ID.test(id) ? id : "";
  }

  async write(id: string): Promise<void> {
    await this.#place.write(`${id}\n${NOTE}`);
  }

  isPlaceEmpty(): Promise<boolean> {
    return this.#place.isEmpty();
  }

  async #lookFirst({ id }: FilesMark, first: FirstUse): Promise<string | undefined> {
    let problem: string | undefined;
    await first(async (mayWrite, namesFiles) => {
      let found = await this.read();
      // An upgrade while the disk is away must not mark the empty mount point.
      if (found === undefined && mayWrite && !((await namesFiles()) && (await this.isPlaceEmpty()))) {
        await this.write(id);
        found = id;
      }
      problem = this.#judge(found, id);
      return problem === undefined;
    });
    if (problem === undefined) this.#expected = { id };
    return problem;
  }

  #judge(found: string | undefined, id: string): string | undefined {
    if (found === id) return undefined;
    const { name } = this.#place;
    return found === undefined
      ? `${name} has no files of this installation. Is it mounted? If this is their new place, run \`parley files adopt\`.`
      : `${name} has files of another installation. Name the place of this one in PARLEY_FILES. If they are of this one nevertheless, run \`parley files adopt --replace\`.`;
  }
}
