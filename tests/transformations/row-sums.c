void sum(double *Vij, double *Vsum, int v, int w)
{
    for (int i = 0; i < v; i++)
        for (int j = 0; j < w; j++)
            Vij[i * w + j] = (j + 1) + i * w;
    for (int i = 0; i < v; i++) {
        double s = 0;
        for (int j = 0; j < w; j++)
            s += Vij[i * w + j];
        Vsum[i] = s;
    }
}
