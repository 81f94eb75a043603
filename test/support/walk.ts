import type { TestMerchant } from './test-app.js';

/** Reads all pages of a list, and returns their guides; `between` runs after each page except the last. */
export async function walkGuias(
  by: Pick<TestMerchant, 'get'>,
  query: Record<string, string>,
  between: (page: any[]) => Promise<void> = () => Promise.resolve(),
): Promise<any[]> {
  const guias: any[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const search = new URLSearchParams({ ...query, ...(cursor && { cursor }) });
    const { status, body } = await by.get(`/api/v1/guias?${search.toString()}`);
    expect({ query, status }).toEqual({ query, status: 200 });
    expect(guias.push(...body.guias)).toBeLessThan(10_000);
    cursor = body.siguiente_cursor;
    if (cursor === null) break;
    expect(body.guias).toHaveLength(Number(query.limit ?? 50));
    await between(body.guias);
  }
  return guias;
}
