import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../support/feedloom.ts';

const DEPLOY = join(REPOSITORY, 'deploy');

/** Paths of all files in `deploy/`, without those of the examples, which are apps of their own. */
export function deployFiles(): string[] {
  const entries = readdirSync(DEPLOY, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(DEPLOY.length + 1))
    .filter((path) => !path.startsWith('examples/'))
    .sort();
}

/** The text of a file in `deploy/`. */
export function deployText(path: string): string {
  return readFileSync(join(DEPLOY, path), 'utf8');
}

/** The documents of a YAML file in `deploy/`. */
export function deployYaml(path: string): unknown[] {
  const parsed: unknown = Bun.YAML.parse(deployText(path));
  return Array.isArray(parsed) ? parsed : [parsed];
}

/** Whether a program is installed. */
export function isInstalled(program: string): boolean {
  return Bun.which(program) !== null;
}
