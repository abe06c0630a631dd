// A database that is away is to callers what a service is that does not answer.
import { NoAnswer } from '@landfall/bus';
import { isTransient } from '@landfall/db';

export async function orNoAnswer<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw isTransient(error) ? new NoAnswer('the database does not answer', { cause: error }) : error;
  }
}
