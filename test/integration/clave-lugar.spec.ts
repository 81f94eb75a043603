import { DataSource } from 'typeorm';
import { ClaveLugarAscii1795600000000 } from '../../migrations/1795600000000-clave-lugar-ascii.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { useDatabase } from '../support/use.js';

/** Every character of two bytes in UTF-16, alone and between others; surrogates are none. */
const KEYS = `select n, clave_lugar(chr(n)) as alone, clave_lugar('San ' || chr(n) || 'LAZARO') as among
  from generate_series(1, 65535) n where n not between 55296 and 57343 order by n`;
const DIGEST = `select count(*), md5(string_agg(concat_ws(' ', n, alone, among), ' ' order by n)) as keys from (${KEYS}) k`;

describe('the key by which places and names are found', () => {
  const database = useDatabase();

  it.each([
    ['Guatemala', 'guatemala'],
    ['SAN MIGUEL PETAPA', 'san miguel petapa'],
    ['Sacatepéquez', 'sacatepequez'],
    ['PEÑÓN', 'penon'],
    ['', ''],
    [null, null],
  ])('of %p is %p', async (text, key) => {
    expect(await database.query('select clave_lugar($1) as key', [text])).toEqual([{ key }]);
  });

  it('is the one that the indexes of an older version hold, for every character of the common scripts', async () => {
    const now = await database.query(DIGEST);
    const dataSource = await new DataSource(dataSourceOptions(database.ownerUrl)).initialize();
    const runner = dataSource.createQueryRunner();
    await new ClaveLugarAscii1795600000000().down(runner);
    const before = await database.query(DIGEST);
    await new ClaveLugarAscii1795600000000().up(runner);
    await dataSource.destroy();
    expect(now).toEqual(before);
  });
});
