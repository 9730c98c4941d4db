/** A subset of curl for machines without it: the flags `-s`, `-fs`, `-X`, `-H` and `-d`, and a URL. It retries nothing. */
const headers = new Headers();
let address = '';
let data: string | undefined;
let method: string | undefined;
const given = process.argv.slice(2);
while (given.length > 0) {
  const argument = given.shift()!;
  if (['-s', '-fs', '--retry-connrefused'].includes(argument)) continue;
  if (['--retry', '--retry-delay'].includes(argument)) given.shift();
  else if (argument === '-d') data = given.shift();
  else if (argument === '-X') method = given.shift();
  else if (argument === '-H') {
    const [name, value] = given.shift()!.split(/: ?(.*)/s);
    headers.append(name, value);
  } else if (argument.startsWith('-') || address !== '') throw new Error(`unknown argument ${argument}`);
  else address = argument;
}
method ??= data === undefined ? 'GET' : 'POST';
const answer = await fetch(address, { method, headers, body: data });
process.stdout.write(await answer.text());
// Like curl with --fail, so that a shell with `set -e` stops.
if (!answer.ok) process.exitCode = 22;
