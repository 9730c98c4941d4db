/** What the commands of the documents ask of curl, for machines without it: `-s`, `-H`, `-d` and a URL. */
const headers = new Headers();
let address = '';
let data: string | undefined;
const given = process.argv.slice(2);
while (given.length > 0) {
  const argument = given.shift()!;
  if (argument === '-s') continue;
  if (argument === '-d') data = given.shift();
  else if (argument === '-H') {
    const [name, value] = given.shift()!.split(/: ?(.*)/s);
    headers.append(name, value);
  } else if (argument.startsWith('-') || address !== '') throw new Error(`unknown argument ${argument}`);
  else address = argument;
}
const answer = await fetch(address, { method: data === undefined ? 'GET' : 'POST', headers, body: data });
process.stdout.write(await answer.text());
// As curl does with --fail: a shell that runs commands with `set -e` stops there.
if (!answer.ok) process.exitCode = 22;
