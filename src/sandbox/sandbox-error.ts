/** The exchange cannot start as asked; the message says what to change. */
export class SandboxError extends Error {
  readonly code: 'snapshot' | 'seed' | 'option' | 'busy' | 'link';

  constructor(code: SandboxError['code'], message: string) {
    super(message);
    this.name = 'SandboxError';
    this.code = code;
  }
}
