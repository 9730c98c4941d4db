/**
 * A subset of mongosh for machines without it: `--quiet NAME --eval SCRIPT`, where the script only finds objects.
 *
 * `TEST_DATABASES` has the objects of each database as JSON lines.
 */
const [quiet, name, evaluate, script, ...rest] = process.argv.slice(2);
if (quiet !== '--quiet' || evaluate !== '--eval' || rest.length > 0)
  throw new Error(`unknown arguments ${process.argv.slice(2).join(' ')}`);
const databases: Record<string, string> = JSON.parse(process.env.TEST_DATABASES ?? '{}');
const objects: Record<string, unknown>[] = databases[name]
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

function find(query: Record<string, unknown>) {
  const fits = (value: unknown, wanted: unknown) =>
    wanted instanceof RegExp ? wanted.test(String(value)) : value === wanted;
  const found = objects.filter((object) =>
    Object.entries(query).every(([key, wanted]) => fits(object[key], wanted)),
  );
  return {
    toArray: () => found,
    forEach(work: (object: object) => void) {
      for (const object of found) work(object);
    },
  };
}

new Function('db', 'print', script)({ objects: { find } }, console.log);
