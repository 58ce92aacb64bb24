/** What would be lost with this browser's copy of the texts. */
import { loadSaver, texts } from "./texts.ts";

/** At the most, before somebody who leaves is asked. */
const WAIT_MS = 3000;

/** How many texts the server does not have, once it was offered them. */
export async function countUnsaved(): Promise<number> {
  const store = texts();
  const listUnsaved = () => store.list().filter(({ id }) => !store.isSaved(id));
  const isOver = new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  const offer = async () => {
    const saver = await loadSaver();
    await Promise.all(listUnsaved().map(({ id }) => saver.save(id)));
  };
  await Promise.race([offer(), isOver]);
  return listUnsaved().length;
}
