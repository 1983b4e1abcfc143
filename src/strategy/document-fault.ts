/** Keys and list indexes from the top of a document. */
export type DocumentPath = readonly (string | number)[];

/** Something wrong (error) or hardly meant (warning) in a strategy document; its file, line and column are found by the path. */
export interface DocumentFault {
  readonly severity: 'error' | 'warning';
  /** The last part of it may be missing in the document, when that is the fault. */
  readonly path: DocumentPath;
  /** Whether the key at the end of the path is wrong, or the value there. */
  readonly at: 'key' | 'value';
  /** What it must be and what was found. */
  readonly message: string;
  /** What to write instead; undefined when nothing is near. */
  readonly suggestion: string | undefined;
}

export function error(path: DocumentPath, message: string, suggestion?: string): DocumentFault {
  return { severity: 'error', path, at: 'value', message, suggestion };
}

export function warning(path: DocumentPath, message: string, suggestion?: string): DocumentFault {
  return { severity: 'warning', path, at: 'value', message, suggestion };
}
