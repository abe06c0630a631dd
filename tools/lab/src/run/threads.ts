// Runs jobs on several threads. The order of the results is that of the jobs, however long each takes.
import { Worker } from 'node:worker_threads';
import { type Job, type JobResult, runJob } from './job.ts';

export async function runJobs(
  jobs: readonly Job[],
  threads: number,
  done: (job: Job, count: number) => void,
): Promise<JobResult[]> {
  const results: JobResult[] = [];
  let next = 0;
  let count = 0;
  const lane = async (run: (job: Job) => JobResult | Promise<JobResult>) => {
    for (let i = next++; i < jobs.length; i = next++) {
      results[i] = await run(jobs[i]!);
      done(jobs[i]!, ++count);
    }
  };
  if (threads === 1 || jobs.length === 1) {
    await lane(runJob);
    return results;
  }
  const workers = Array.from(
    { length: Math.min(threads, jobs.length) },
    () => new Worker(new URL('./thread.ts', import.meta.url)),
  );
  try {
    await Promise.all(workers.map((worker) => lane((job) => answerOf(worker, job))));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return results;
}

function answerOf(worker: Worker, job: Job): Promise<JobResult> {
  const { promise, resolve, reject } = Promise.withResolvers<JobResult>();
  worker.once('message', resolve).once('error', reject);
  worker.postMessage(job);
  return promise.finally(() => worker.off('message', resolve).off('error', reject));
}
