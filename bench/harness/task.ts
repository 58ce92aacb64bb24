/** For a process that does one thing: takes its task from the parent, answers with the result, ends. */
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
