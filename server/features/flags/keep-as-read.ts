import type { KeepAsRead } from "../messages/send/post.ts";
import { insertRead } from "./store.ts";

/** For messages of which the event said that they are read. */
export const keepAsRead: KeepAsRead = insertRead;
