import { PLUGIN_API } from '../../plugin/api.ts';
import { KIND_DATA, KINDS, type Kind } from '../../registry/kinds.ts';
import type { Scaffold } from '../../registry/template.ts';

/** What `feedloom plugins new` writes for a word. */
interface Template extends Required<Scaffold> {
  kind: Kind;
}

/** Templates by the word that `feedloom plugins new` takes. */
export const TEMPLATES: Record<string, Template> = Object.fromEntries(
  KINDS.flatMap((kind) => {
    const { title, templates } = KIND_DATA[kind];
    return Object.entries(templates).map(([word, one]) => [word, { kind, title, imports: [], ...one }]);
  }),
);

/** The plugin file of a template. @param id `<namespace>/<name>`, with a version if the kind has versions */
export function pluginText({ kind, imports, body }: Template, namespace: string, id: string): string {
  const define = named('define', KIND_DATA[kind].title);
  const names = [define, 'definePlugin', 'Type', ...imports].sort((one, other) =>
    bare(one).localeCompare(bare(other)),
  );
  return `import { ${names.join(', ')} } from 'feedloom/plugin';

export default definePlugin({
  meta: { name: '${namespace}', version: '1.0.0', api: ${PLUGIN_API} },
  ${kind}: {
    '${id}': ${define}({${indented(body, 6)}
    }),
  },
});
`;
}

/** The test file of a template. @param file name of the plugin file without its extension */
export function testText({ title, tests }: Template, file: string, id: string): string {
  const test = named('test', title);
  const names = tests.includes('TEST_NOW') ? `TEST_NOW, ${test}` : test;
  return `import { ${names} } from 'feedloom/plugin/testing';
import plugin from './${file}';

// The rules for every extension of this kind, and your own cases.
${test}(plugin, '${id}', {${indented(tests, 2)}
});
`;
}

/** `defineScoringFunction` of `define` and 'scoring function'. */
function named(verb: string, title: string): string {
  return verb + title.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function bare(name: string): string {
  return name.replace(/^type /, '').toLowerCase();
}

function indented(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
