/** What a Containerfile of one stage says. */
export interface Instructions {
  /** `FROM` */
  base: string;
  /** Sources and target of each `COPY`, with build arguments put in. */
  copies: { source: string; target: string; mode: string }[];
  /** Commands of `RUN`, for a shell. */
  runs: string[];
  env: Map<string, string>;
  user: string;
  volumes: string[];
  ports: string[];
  stop_signal: string;
  /** The argument list of the command. */
  health_check: string[];
  entrypoint: string[];
  command: string[];
}

/**
 * Reads a Containerfile that uses the simplest form of each instruction.
 * @throws Error for an instruction or form that is not understood
 */
export function instructionsOf(text: string): Instructions {
  const result: Instructions = {
    base: '',
    copies: [],
    runs: [],
    env: new Map(),
    user: '',
    volumes: [],
    ports: [],
    stop_signal: '',
    health_check: [],
    entrypoint: [],
    command: [],
  };
  const args = new Map<string, string>();
  const withArgs = (value: string) =>
    value.replace(/\$\{(\w+)\}/g, (_, name: string) => args.get(name) ?? '');
  const read: Record<string, (value: string) => void> = {
    FROM: (value) => {
      result.base = value;
    },
    ARG: (value) => void args.set(...pairOf(value)),
    COPY: (value) => {
      const [, mode, source, target] = /^--chmod=(\d+) (\S+) (\S+)$/.exec(withArgs(value)) ?? [];
      if (target === undefined) throw new Error(`not understood: COPY ${value}`);
      result.copies.push({ source, target, mode });
    },
    RUN: (value) => void result.runs.push(value),
    USER: (value) => {
      result.user = value;
    },
    VOLUME: (value) => void result.volumes.push(value),
    ENV: (value) => {
      for (const pair of value.split(' ')) result.env.set(...pairOf(pair));
    },
    EXPOSE: (value) => void result.ports.push(value),
    STOPSIGNAL: (value) => {
      result.stop_signal = value;
    },
    HEALTHCHECK: (value) => {
      result.health_check = JSON.parse(value.slice(value.indexOf('CMD ') + 4));
    },
    ENTRYPOINT: (value) => {
      result.entrypoint = JSON.parse(value);
    },
    CMD: (value) => {
      result.command = JSON.parse(value);
    },
  };
  for (const line of text.replaceAll('\\\n', '').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, value] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (read[name] === undefined) throw new Error(`not understood: ${line}`);
    read[name](value);
  }
  return result;
}

function pairOf(text: string): [string, string] {
  const [name, ...value] = text.split('=');
  return [name, value.join('=')];
}
