/**
 * Why a file can't be made a picture of. The caller makes the error of its call of it.
 * `format`: not of a format that is read. `broken`: the file does not hold what its beginning says.
 * `size`: too many pixels in all frames together. `frames`: too many frames. `time`: it took too long.
 * `busy`: too many pictures wait already.
 */
export type ImageProblem = "format" | "broken" | "size" | "frames" | "time" | "busy";

export class ImageError extends Error {
  readonly problem: ImageProblem;

  constructor(problem: ImageProblem, cause?: unknown) {
    super(`the picture can't be read: ${problem}`, { cause });
    this.problem = problem;
  }
}
