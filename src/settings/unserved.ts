/** What a configuration asks for that this version does not do, in words for a person. */
export function unserved(config: { readonly web?: unknown } | undefined): readonly string[] {
  return config?.web === undefined ? [] : ['web: this version of Magpie serves no page; `magpie status` shows the same.'];
}
