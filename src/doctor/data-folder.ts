import {
  existsSync,
  lstatSync,
  readdirSync,
  rmSync,
  type Stats,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { aheadBy, systemClock } from '../clock.ts';
import { reasonOf } from '../errors.ts';
import { type Finding, fail, megabytes, ok, otherClock, warn } from './finding.ts';

const SUBJECT = 'data folder';
const OTHERS = 0o077;

/** With less free space, a start is refused or writing soon fails. */
const FREE_BYTES_MIN = 64 * 1024 * 1024;
const FREE_BYTES_ADVISED = 1024 * 1024 * 1024;
/** A checkpoint is written only if this many times its size is free. */
const CHECKPOINT_TIMES = 2;

/** File systems keep times as whole seconds, or two. */
const SKEW_SECONDS_MAX = 3;

/**
 * Whether the account may use the folder, and other accounts may not.
 * @param is_needed false with PostgreSQL, where the folder only holds checkpoints
 */
export function permissions(data: string, is_needed: boolean): Finding[] {
  let folder: Stats | undefined;
  try {
    folder = statSync(data, { throwIfNoEntry: false });
  } catch (error) {
    return [fail(SUBJECT, `'${data}' cannot be examined (${reasonOf(error)})`, rightsRemedy())];
  }
  if (folder === undefined) {
    const what = is_needed ? 'the first start creates it' : 'the first checkpoint creates it';
    return [warn(SUBJECT, `'${data}' does not exist`, `${what}; name another one with --data`)];
  }
  if (!folder.isDirectory()) return [fail(SUBJECT, `'${data}' is not a folder`, 'name a folder with --data')];
  const unwritable = writeFailure(data);
  if (unwritable !== undefined)
    return [fail(SUBJECT, `'${data}' cannot be written (${unwritable})`, rightsRemedy())];
  const findings = [...ownership(data, folder), ...openness(data, folder)];
  return findings.length > 0
    ? findings
    : [ok(SUBJECT, `'${data}' is writable, and closed to other accounts`)];
}

function rightsRemedy(): string {
  return `give it to this account (uid ${process.geteuid?.()}), or run this command as the account of the service`;
}

function ownership(data: string, { uid }: Stats): Finding[] {
  const here = process.geteuid?.();
  if (here === undefined || uid === here) return [];
  const message = `'${data}' belongs to another account (uid ${uid}) than the one that asks (uid ${here})`;
  return [
    warn(SUBJECT, message, 'run this command as the account of the service, or its findings may not apply'),
  ];
}

function openness(data: string, folder: Stats): Finding[] {
  const open = [{ path: data, mode: folder.mode }, ...filesOf(data)].filter(
    ({ mode }) => (mode & OTHERS) !== 0,
  );
  if (open.length === 0) return [];
  // Files in a closed folder cannot be reached.
  if ((folder.mode & OTHERS) === 0) return [];
  const more = open.length > 1 ? ` and ${open.length - 1} more` : '';
  return [
    warn(
      SUBJECT,
      `other accounts may use '${open[0].path}'${more}`,
      `chmod -R go= '${data}'; the next start does so, too`,
    ),
  ];
}

function filesOf(data: string): { path: string; mode: number }[] {
  return readdirSync(data).flatMap((name) => {
    const path = join(data, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isFile() ? [{ path, mode: found.mode }] : [];
  });
}

/** Writes a file and removes it. @returns why that failed, undefined if it worked */
function writeFailure(data: string): string | undefined {
  try {
    probe(data);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Writes a file and removes it. @returns its time by the file system, in seconds */
function probe(data: string): number {
  const path = join(data, `feedloom.doctor-${crypto.randomUUID()}`);
  try {
    writeFileSync(path, 'x', { flag: 'wx', mode: 0o600 });
    return statSync(path).mtimeMs / 1000;
  } finally {
    rmSync(path, { force: true });
  }
}

/** Compares the file system's clock, which may be that of a file server. Nothing to find in an unwritable folder. */
export function fileSystemClock(data: string): Finding[] {
  let ahead: number;
  try {
    const before = systemClock.now();
    ahead = aheadBy(probe(data), before, systemClock.now());
  } catch {
    return [];
  }
  return [otherClock('the file system', ahead, SKEW_SECONDS_MAX)];
}

/** @param checkpoint_bytes of the last checkpoint; 0 if there is none */
export function diskSpace(data: string, checkpoint_bytes: number): Finding {
  const subject = 'disk space';
  const folder = nearestFolder(resolve(data));
  const { bavail, bsize, ffree, files } = statfsSync(folder);
  const free = bavail * bsize;
  const message = `${megabytes(free)} are free`;
  const remedy = 'free some space, or move the data to a larger disk';
  // Some file systems report no number of files at all.
  if (files > 0 && ffree === 0) return fail(subject, 'the file system can hold no more files', remedy);
  if (free < FREE_BYTES_MIN) return fail(subject, `only ${message}`, remedy);
  const wanted = Math.max(FREE_BYTES_ADVISED, checkpoint_bytes * CHECKPOINT_TIMES);
  if (free < wanted) return warn(subject, `${message}, less than ${megabytes(wanted)}`, remedy);
  return ok(subject, message);
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}
