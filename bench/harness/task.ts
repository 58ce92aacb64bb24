/** For a process with one task: gets the task from the parent, sends the result and ends. */
export function answerTask<T, R>(work: (task: T) => Promise<R>): void {
  process.on("message", (task: T) => {
    work(task).then(
      (result) => process.send?.(result, () => process.exit(0)),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.on("disconnect", () => process.exit(0));
}
