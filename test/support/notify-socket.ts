import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { PATIENCE_MS, within } from '../app/stage.ts';

/** Node.js has no datagram sockets of this kind: what a service manager would hear is heard by a few lines of Python. */
const LISTENER = `
import json, socket, sys
name = sys.argv[1]
heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
heard.bind("\\0" + name[1:] if name.startswith("@") else name)
print(json.dumps(None), flush=True)
while True:
    print(json.dumps(heard.recv(65536).decode()), flush=True)
`;

const answers = (program: string, option: string): boolean => spawnSync(program, [option], { stdio: 'ignore' }).status === 0;

/** Whether this machine has what such a test needs; the script of CI installs it. */
export const canHear = answers('python3', '--version') && answers('systemd-notify', '--version');

/** A real datagram socket as a service manager has it. */
export class NotifySocket {
  /** Messages as they came. */
  readonly messages: string[] = [];
  readonly name: string;
  readonly #listener: ChildProcess;

  private constructor(name: string) {
    this.name = name;
    this.#listener = spawn('python3', ['-c', LISTENER, name], { stdio: ['ignore', 'pipe', 'inherit'] });
    let rest = '';
    this.#listener.stdout?.on('data', (piece: Buffer) => {
      const lines = `${rest}${piece.toString()}`.split('\n');
      rest = lines.pop() ?? '';
      this.messages.push(...lines.map((line) => (JSON.parse(line) as string | null) ?? 'listening'));
    });
  }

  /** `name`: a path, or `@` and a name. Closed after the test. */
  static async open(name: string): Promise<NotifySocket> {
    const socket = new NotifySocket(name);
    onTestFinished(() => void socket.#listener.kill());
    if (!(await socket.hears('listening'))) throw new Error('python3 does not listen');
    return socket;
  }

  /** Everything that was said so far, a word a line; without what systemd's program asks to know that it was heard. */
  get words(): readonly string[] {
    const words = this.messages.flatMap((message) => message.split('\n'));
    return words.filter((word) => word !== '' && word !== 'BARRIER=1');
  }

  hears(word: string | RegExp, ms = PATIENCE_MS): Promise<boolean> {
    const fits = (said: string): boolean => (typeof word === 'string' ? said === word : word.test(said));
    return within(() => this.words.some(fits), ms);
  }
}
