import type { Path } from './file-fault.ts';

/** Something that the keys of a configuration, taken together, get wrong (fault) or make odd (warning). */
export interface Finding {
  readonly severity: 'fault' | 'warning';
  readonly path: Path;
  readonly message: string;
  readonly suggestion: string | undefined;
  /** The key that makes it one: shown where nothing of `path` stands in the file. */
  readonly because?: Path;
}

export function fault(path: Path, message: string, suggestion?: string, because: Path = []): Finding {
  return { severity: 'fault', path, message, suggestion, because };
}

export function warning(path: Path, message: string, suggestion?: string): Finding {
  return { severity: 'warning', path, message, suggestion };
}
