export function withQuery(path: string, query: Record<string, string>): string {
  const set = Object.entries(query).filter(([, value]) => value !== '');
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set).toString()}`;
}
