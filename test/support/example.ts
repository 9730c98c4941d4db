import { join } from 'node:path';
import { environment, REPOSITORY } from './feedloom.ts';

/** The examples that people copy, run as they run them. */

/** The folder that is copied. */
export const EXAMPLES_FOLDER = join(REPOSITORY, 'deploy/examples');
/** Folders of the servers in it. */
export const EXAMPLES = ['html', 'express'] as const;
export type Example = (typeof EXAMPLES)[number];

const NODE = Bun.which('node');
/** Programs that run the servers, by name: Node where it is installed, and Bun. */
export const RUNTIMES = { ...(NODE !== null && { node: NODE }), bun: process.execPath };
/** The one that the READMEs name, if it is there. */
export const USUAL_RUNTIME = NODE ?? process.execPath;

export interface ExampleOptions {
  /** Address of Feedloom. */
  url: string;
  key: string;
  runtime?: string;
  /** Addresses of posts, with `{item_id}`. */
  post_url?: string;
  /** A copy of the examples. */
  folder?: string;
}

/** A server of an example that has not told its address yet. */
export function launchExample(
  example: Example,
  { url, key, runtime = USUAL_RUNTIME, folder = EXAMPLES_FOLDER, post_url = '' }: ExampleOptions,
) {
  return Bun.spawn([runtime, join(folder, example, 'server.mjs')], {
    cwd: '/',
    env: environment({ FEEDLOOM_URL: url, FEEDLOOM_KEY: key, POST_URL: post_url, PORT: '0' }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

export interface RunningExample extends AsyncDisposable {
  /** `http://host:port` */
  address: string;
}

/** Starts a server of an example. @throws Error if it ends before it listens */
export async function startExample(example: Example, options: ExampleOptions): Promise<RunningExample> {
  return runningExample(launchExample(example, options));
}

/** The server of a process, when it has told its address. @throws Error if it ends before that */
export async function runningExample(
  child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>,
): Promise<RunningExample> {
  const stop = async () => {
    child.kill();
    await child.exited;
  };
  let printed = '';
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    printed += text;
    const [, address] = /^open (http:\S+)\n/.exec(printed) ?? [];
    if (address !== undefined) return { address, [Symbol.asyncDispose]: stop };
  }
  throw new Error(`the example has ended: ${printed}${await new Response(child.stderr).text()}`);
}
