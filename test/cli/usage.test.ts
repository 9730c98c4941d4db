import { describe, expect, test } from 'bun:test';
import { run } from './run.ts';

/** Names of the commands that a help text lists. */
function listed(help: string): string[] {
  const [, commands = ''] = help.split(/^Commands:\n/m);
  return [...commands.matchAll(/^ {2}([a-z][\w-]*)/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'help');
}

describe('the help of a command', () => {
  test('the help of every command begins with its usage', async () => {
    const waiting: string[][] = listed((await run('--help')).stdout).map((name) => [name]);
    expect(waiting).toContainEqual(['restore']);
    let seen = 0;
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const { code, stdout } = await run(...path, '--help');
      expect([path, code, stdout.split('\n')[0]]).toEqual([
        path,
        0,
        expect.stringMatching(new RegExp(`^Usage: feedloom ${path.join(' ')}( |$)`)),
      ]);
      waiting.push(...listed(stdout).map((name) => [...path!, name]));
      seen++;
    }
    expect(seen).toBeGreaterThan(15);
  });
});

describe('an unknown command', () => {
  test.each([
    [['restor'], 'restor', '(Did you mean restore?)'],
    [['restor', '--help'], 'restor', '(Did you mean restore?)'],
    [['--help', 'imprt'], 'imprt', '(Did you mean import?)'],
    [['help', 'imprt'], 'imprt', '(Did you mean import?)'],
    [['keys', 'creat', '--help'], 'creat', '(Did you mean create?)'],
    [['evaluate', 'holdot'], 'holdot', '(Did you mean holdout?)'],
    [['x'], 'x', 'feedloom --help lists the commands'],
  ])('the unknown command %j is refused with the most similar name', async (args, name, advice) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`error: unknown command '${name}'\n`);
    expect(stderr).toContain(advice);
    if (args[0] === 'x') expect(stderr).not.toContain('Did you mean');
  });
});
