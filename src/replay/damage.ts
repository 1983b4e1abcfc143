import Database from 'better-sqlite3';

/** What SQLite takes for sound, and cannot be what was written. */
export class TapeDamaged extends Error {
  override readonly name = 'TapeDamaged';
  readonly code = 'DAMAGED';
}

/** Whether the file itself is not as it was written: torn, garbled, shorter than it says. */
export function isDamage(error: unknown): error is InstanceType<typeof Database.SqliteError> | TapeDamaged {
  if (error instanceof TapeDamaged) return true;
  return error instanceof Database.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB|IOERR)/.test(error.code);
}

export function damageWords({ message, code }: { readonly message: string; readonly code: string }): string {
  return `${message} (${code})`;
}

export function isSqliteError(error: unknown): error is InstanceType<typeof Database.SqliteError> {
  return error instanceof Database.SqliteError;
}
