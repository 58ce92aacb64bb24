/** What `@parley-chat/client/model` exports. */
export { LiveModel, type LiveModelOptions, type ModelChange, startModel } from "./live-model.ts";
export { Model, type ModelOptions } from "./model.ts";
