import { ApiError, errors } from "../../../api/errors.ts";
import { ImageError, type ImageProblem } from "./image-error.ts";

const refusals: Record<ImageProblem, () => ApiError> = {
  format: () => new ApiError(errors.invalidImageFormat),
  broken: () => new ApiError(errors.unreadableImage),
  time: () => new ApiError(errors.unreadableImage),
  size: () => new ApiError(errors.imageTooLarge),
  frames: () => new ApiError(errors.imageTooLarge),
  busy: () => new ApiError(errors.serverBusy),
};

/** Runs work on a picture that a caller sent. What is wrong with the picture becomes an error of the API. */
export async function refusingPictures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ImageError ? refusals[error.problem]() : error;
  }
}
