/** The framework's handler of a route that the API answers before it would be called. */
export function unreachable(): never {
  throw new Error("the framework handled a call that the API should have answered");
}
