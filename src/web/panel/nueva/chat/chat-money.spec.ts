import type { CountryCode } from 'libphonenumber-js';
import { currencyOf } from '../../../../auth/merchants/currency.js';
import { placesByKey } from '../../../../locations/places/places.js';
import { readChat } from './chat-reading.js';

async function amountOf(text: string, country: CountryCode) {
  const places = await placesByKey(country);
  return readChat(text, { country, currency: currencyOf(country), places }).cod_amount;
}

describe('the amount of a chat', () => {
  it.each<[text: string, country: CountryCode, valor: string]>([
    ['Lina Gómez 300 123 4567. Son 25 mil contra entrega', 'CO', '25000'],
    ['total 25k', 'CO', '25000'],
    ['total $25mil', 'CO', '25000'],
    ['total 0,5 millones', 'CO', '500000'],
    ["Lina Gómez 300 123 4567 total $1'000.000", 'CO', '1000000'],
    ['Lina Gómez 300 123 4567 total $1’000.000', 'CO', '1000000'],
    ["total $1'000,000.00", 'CO', '1000000'],
    ['total $1.000.000', 'CO', '1000000'],
    ['total 1.000.000', 'CO', '1000000'],
    ["total $1'200.000", 'CO', '1200000'],
    ['total $1’200.000', 'CO', '1200000'],
    ['total 1,2 millones', 'CO', '1200000'],
    ['total $25.000', 'CO', '25000'],
    ['total ₡15.500', 'CR', '15500'],
    ['total $1 000 000', 'CO', '1000000'],
    ['total $85000 300 123 4567', 'CO', '85000'],
    ['total $850 55 1234 5678', 'MX', '850'],
    ['Total Q350\nAnticipo Q100\nResta Q250', 'GT', '250'],
    ['Total: Q350\nAbono: Q100\nSaldo: Q250', 'GT', '250'],
    ['Subtotal Q325\nEnvío Q25\nTotal Q350', 'GT', '350'],
    ['Marta Xol 5555 7171 Q350', 'GT', '350'],
    ['Marta Xol 55557171 Q350', 'GT', '350'],
    ['Marta Xol 5555 7171 Q 350', 'GT', '350'],
    ['Marta Xol 55 1234 5678 $350', 'MX', '350'],
    ['Marta Xol 9999 1234 L. 350', 'HN', '350'],
    ['Q350 5555-7171', 'GT', '350'],
    ['total Q350.', 'GT', '350'],
    ['total Q350.- en efectivo', 'GT', '350'],
    ['total Q350, zona 10', 'GT', '350'],
    ['total Q350 - zona 10', 'GT', '350'],
    ['total Q350 y mi tel 5555 7171', 'GT', '350'],
    ['*Total:* *Q350*', 'GT', '350'],
    ['total 💵Q350💵', 'GT', '350'],
  ])('is sure where it is understood: %j in %s', async (text, country, valor) => {
    expect(await amountOf(text, country)).toEqual({ valor, nota: undefined });
  });

  it.each<[text: string, country: CountryCode]>([
    ['total 1.2 M', 'CO'],
    ['total $120.000.000', 'CO'],
    ['total Q1,200,000.00', 'GT'],
    ['total 25 lucas', 'CO'],
    ['total 1 millón y medio', 'CO'],
    ['total 2 y medio millones', 'CO'],
    ['total 25 mil quinientos', 'CO'],
    ['total 25 mil 500', 'CO'],
    ['total mil 500', 'GT'],
    ['total 1 medio', 'CO'],
    ['total 25', 'CO'],
    ['total 350 y medio', 'GT'],
    ['total Q350½', 'GT'],
    ['total Q350x2', 'GT'],
    ['total 2 x 150', 'GT'],
    ['total 2 blusas', 'GT'],
    ['total 300 + 25', 'GT'],
    ['total Q350 menos 50', 'GT'],
    ['total Q350 o 400', 'GT'],
    ['total entre 300 y 350', 'GT'],
    ["total Q1'2", 'GT'],
    ['total Q1.2345', 'GT'],
    ['total Q1500.000', 'GT'],
    ['total Q1.500', 'GT'],
    ['Total Q350\nAnticipo Q100', 'GT'],
    ['Total Q350, dejé anticipo de 100', 'GT'],
    ['Total Q350\nAnticipo Q100\nResta Q200', 'GT'],
    ['Total Q350\nResta Q250', 'GT'],
    ['Total Q350 con 10% de descuento', 'GT'],
    ['Total Q350, ya deposité 100', 'GT'],
    ['pago con Q500', 'GT'],
    ['Subtotal Q325', 'GT'],
  ])('has a note where it may be another: %j in %s', async (text, country) => {
    const field = await amountOf(text, country);
    if (field) expect(field.nota).toEqual(expect.any(String));
  });
});
