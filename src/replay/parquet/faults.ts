/** The folder is not one that was exported. */
export class NoExport extends Error {
  override readonly name = 'NoExport';
}

/** A file of an export that cannot be used, and why. */
export class FileBroken extends Error {
  override readonly name = 'FileBroken';
  readonly file: string;

  constructor(file: string, message: string) {
    super(message);
    this.file = file;
  }
}
