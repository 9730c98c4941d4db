import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../support/feedloom.ts';

/** The workflow that publishes a release. It runs on no machine of ours, so only its text is tested. */

interface Step {
  uses?: string;
  run?: string;
  env?: Record<string, string>;
}
interface Job {
  permissions: Record<string, string>;
  steps: Step[];
  needs?: string;
}
interface Workflow {
  on: object;
  permissions: object;
  jobs: Record<'build' | 'publish', Job>;
}

const TEXT = readFileSync(join(REPOSITORY, '.github', 'workflows', 'release.yml'), 'utf8');
const { on, permissions, jobs } = Bun.YAML.parse(TEXT) as Workflow;
const commandsOf = ({ steps }: Job) => steps.map(({ run = '' }) => run);

describe('the workflow of a release', () => {
  test('runs for tags of versions, and refuses a tag that is not the version', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(commandsOf(jobs.build)[1]).toContain('test "$GITHUB_REF_NAME" = "v$(node -p');
  });

  test('runs everything that must pass, then builds the release twice, and publishes only what is signed', () => {
    const commands = commandsOf(jobs.build).filter((run) => run !== '');
    const at = (text: string) => commands.findIndex((run) => run.includes(text));
    const order = [at('.ci/run'), at('run release --check'), at('test -s dist/SHA256SUMS.minisig')];
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(order).not.toContain(-1);
    expect(jobs.publish.needs).toBe('build');
  });

  test('uses actions by the hash of a commit, with the version beside it', () => {
    const uses = [...TEXT.matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(uses).toHaveLength(3);
    for (const action of uses) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('gives the job that runs our dependencies no right to write, and secrets to one step', () => {
    expect(permissions).toEqual({});
    expect(jobs.build.permissions).toEqual({ contents: 'read' });
    const with_secrets = jobs.build.steps.filter(({ env }) => JSON.stringify(env ?? {}).includes('secrets.'));
    expect(with_secrets.map(({ run }) => run)).toEqual([expect.stringContaining('run release --check')]);
    expect(jobs.publish.steps.filter(({ run = '' }) => /\b(bun|npm|npx|node)\b/.test(run))).toEqual([]);
  });

  test('starts the version of Bun that the checks use', () => {
    const [, version] = /bun=\(npx -y (bun@\S+)\)/.exec(
      readFileSync(join(REPOSITORY, '.ci', 'run'), 'utf8'),
    )!;
    expect(TEXT).toContain(`npx -y ${version} run release`);
  });
});
